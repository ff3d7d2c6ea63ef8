/** What a lecture needs: large text for a projector. */

import { button, press } from './dom.js';

/**
 * @param {App} app
 * @param {() => void} resized called after the text changed its size
 */
export function setUpLecture(app, resized) {
  const toggleLarge = () => app.remember({ large: !app.settings.large });
  press('large', toggleLarge);
  app.on('settings', () => {
    const on = app.settings.large === true;
    button('large').setAttribute('aria-pressed', String(on));
    if (document.documentElement.hasAttribute('data-large') === on) return;
    document.documentElement.toggleAttribute('data-large', on);
    resized();
  });
  return { toggleLarge };
}
