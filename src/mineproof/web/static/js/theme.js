/** Light or dark: as the system has it, or as it was chosen. */

const dark = matchMedia('(prefers-color-scheme: dark)');

/**
 * Put the colours on the page and call back when they change. The choice is noted in the
 * browser, too, so that the first picture of the page has the right colours.
 * @param {() => Record<string, any>} settings
 * @param {() => void} recolour
 */
export function followTheme(settings, recolour) {
  const { dataset } = document.documentElement;
  const apply = () => {
    const chosen = settings().theme ?? localStorage.getItem('theme') ?? '';
    const theme = chosen || (dark.matches ? 'dark' : 'light');
    const numbers = settings().numbers ?? '';
    if (settings().theme !== undefined) localStorage.setItem('theme', settings().theme);
    if (dataset.theme === theme && dataset.numbers === numbers) return;
    dataset.theme = theme;
    dataset.numbers = numbers;
    recolour();
  };
  dark.addEventListener('change', apply);
  apply();
  return apply;
}
