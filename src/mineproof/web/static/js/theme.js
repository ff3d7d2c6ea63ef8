/** Light or dark colours, as the system prefers or as the user chose. */

const dark = matchMedia('(prefers-color-scheme: dark)');

/**
 * Apply the theme, and call a function when it changes. The choice is also stored in the browser,
 * so that the page has the right colours from the first frame.
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
