/** Facts about the build, for the scripts of the site. `site_build.py` writes them. */
export const BUILT: {version: string, core: boolean, python: string, sizes: Record<string, number>, lock: string, hello: Hello};
