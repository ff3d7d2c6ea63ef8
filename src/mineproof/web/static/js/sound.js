/** Short sounds, off by default. */

/** @type {AudioContext | null} */
let audio = null;

/** @type {Record<string, [number, number]>} pitch in hertz, length in seconds */
const SOUNDS = { open: [520, 0.05], chord: [440, 0.06], mark: [320, 0.05], win: [880, 0.35], loss: [110, 0.45] };

/**
 * Play the sound of a move.
 * @param {App} app
 * @param {string} action
 * @param {number} hitsBefore
 */
export function playSound(app, action, hitsBefore) {
  if (app.settings.sound !== true) return;
  const { view } = app;
  const name = (view?.hits ?? 0) > hitsBefore ? 'loss' : view?.end?.result === 'win' ? 'win' : action;
  const sound = SOUNDS[name];
  if (sound !== undefined) tone(...sound);
}

/**
 * @param {number} pitch
 * @param {number} length
 */
function tone(pitch, length) {
  audio ??= new AudioContext();
  const [source, volume] = [audio.createOscillator(), audio.createGain()];
  source.frequency.value = pitch;
  volume.gain.setValueAtTime(0.08, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + length);
  source.connect(volume).connect(audio.destination);
  source.start();
  source.stop(audio.currentTime + length);
}
