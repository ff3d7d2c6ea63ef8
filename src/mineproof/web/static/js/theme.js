/** Light or dark: as the system has it, or as it was chosen. */

const dark = matchMedia('(prefers-color-scheme: dark)');

/**
 * Put the colours on the page and call back when they change.
 * @param {() => string} chosen gives `light`, `dark`, or nothing for the system's choice
 * @param {() => void} recolour
 */
export function followTheme(chosen, recolour) {
  const apply = () => {
    const name = chosen() || (dark.matches ? 'dark' : 'light');
    if (document.documentElement.dataset.theme === name) return;
    document.documentElement.dataset.theme = name;
    recolour();
  };
  dark.addEventListener('change', apply);
  apply();
  return apply;
}
