/** What a build tells the scripts of its site; `site_build.py` writes it. */
export const BUILT: {version: string, core: boolean, python: string, sizes: Record<string, number>, lock: string, hello: Hello};
