/** Accessible tabs: one is chosen, and the arrow keys move between them. */

/**
 * @param {HTMLElement} list the element with the role `tablist`
 * @param {(tab: HTMLElement) => void} choose
 */
export function setUpTabs(list, choose) {
  const tabs = /** @type {HTMLElement[]} */ ([...list.querySelectorAll('[role="tab"]')]);
  for (const tab of tabs) tab.addEventListener('click', () => choose(tab));
  markTab(list, tabs[0]);
  list.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -tabs.length, End: tabs.length }[event.key];
    const at = tabs.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    if (step === undefined || at < 0) return;
    event.preventDefault();
    event.stopPropagation();
    const wanted = Math.abs(step) > 1 ? (step > 0 ? tabs.length - 1 : 0) : (at + step + tabs.length) % tabs.length;
    tabs[wanted].focus();
    choose(tabs[wanted]);
  });
}

/**
 * Mark a tab as the chosen one.
 * @param {HTMLElement} list
 * @param {HTMLElement} chosen
 */
export function markTab(list, chosen) {
  for (const tab of list.querySelectorAll('[role="tab"]')) {
    tab.setAttribute('aria-selected', String(tab === chosen));
    tab.setAttribute('tabindex', tab === chosen ? '0' : '-1');
  }
}
