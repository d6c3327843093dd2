import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, runnerImport } from 'vite';
import config from './vite.config.js';

/**
 * Builds the console: its files in dist/console, and the HTML of every page in every language in dist/server/pages.json,
 * which the api fills in and serves (docs/adr/0059).
 */
const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');

const NO_STYLE = '\0no-style';

const { output } = await build({ ...config, configFile: false, logLevel: 'warn' });
const chunks = output.filter(({ type }) => type === 'chunk');
const indexFile = join(root, 'dist', 'console', 'index.html');
const index = readFileSync(indexFile, 'utf8');
// Without a page in it, it is no file to serve.
rmSync(indexFile);

const { module: prerender } = await runnerImport(join(here, 'prerender.tsx'), {
  resolve: config.resolve,
  // The links of the HTML load the style sheets.
  plugins: [
    {
      name: 'no-styles',
      enforce: 'pre',
      resolveId: (id) => (id.endsWith('.css') ? NO_STYLE : undefined),
      load: (id) => (id === NO_STYLE ? '' : undefined),
    },
  ],
  logLevel: 'warn',
});
const pages = {};
for (const { language, path, isPublic, title, description, html } of prerender.RENDERED_PAGES) {
  if (html.includes(' style="')) throw new Error(`The policy forbids the styles in the HTML of ${path}.`);
  pages[language] ??= {};
  pages[language][path] = index
    .replace('<html lang="en"', `<html lang="${language}"`)
    .replace('name="description" content=""', () => `name="description" content="${description}"`)
    .replace('<title>Moorage</title>', () => `<title>${title}</title>`)
    .replace('</head>', () => `${fontLink()}${links({ path, language, isPublic })}</head>`)
    .replace('<body>', isPublic ? '<body class="pub">' : '<body>')
    .replace('<div id="root">', () => `<div id="root"${isPublic ? ` data-rendered="${path}"` : ''}>${html}`)
    .replace('</body>', '<script type="application/json" id="page-data">%data%</script></body>');
}
mkdirSync(join(root, 'dist', 'server'), { recursive: true });
writeFileSync(join(root, 'dist', 'server', 'pages.json'), JSON.stringify(pages));

/** Returns the link to the font of all pages, so that no text changes its width when it arrives. */
function fontLink() {
  const { fileName } = output.find(({ fileName }) => /hanken-grotesk-latin-wght-normal.*\.woff2$/.test(fileName));
  return `<link rel="preload" as="font" type="font/woff2" crossorigin href="/${fileName}">`;
}

/** Returns the modules that a page loads on demand for its first render, and those whose styles its HTML needs. */
function modulesOf({ path, language, isPublic }) {
  const texts = join(root, 'libs', 'texts', language);
  if (isPublic) {
    const page = join(here, 'pages', 'public', `${path === '/' ? 'home' : path.slice(1)}.tsx`);
    return { styled: [page], others: [join(texts, 'public.ts')] };
  }
  const side = { styled: [join(here, 'app', 'console.tsx')], others: [join(texts, 'console', 'index.ts')] };
  if (path === '/dashboard') side.styled.push(join(here, 'resources', 'deployments', 'list.tsx'));
  return side;
}

/** Returns links to the files that a page loads on demand, without those that index.html has already. */
function links(page) {
  const { styled, others } = modulesOf(page);
  const now = new Set(styled.flatMap((module) => [...chunkOf(module).viteMetadata.importedCss]));
  const files = new Set();
  for (const module of [...styled, ...others]) addFiles(chunkOf(module), files);
  return [...files]
    .filter((file) => !index.includes(file))
    .map((file) => {
      if (!file.endsWith('.css')) return `<link rel="modulepreload" fetchpriority="low" crossorigin href="/${file}">`;
      const rel = now.has(file) || page.isPublic ? 'stylesheet' : 'preload" as="style" fetchpriority="low';
      return `<link rel="${rel}" crossorigin href="/${file}">`;
    })
    .join('');
}

function chunkOf(module) {
  const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(module));
  if (chunk === undefined) throw new Error(`${module} is not in the build.`);
  return chunk;
}

function addFiles(chunk, files) {
  if (files.has(chunk.fileName)) return;
  files.add(chunk.fileName);
  for (const css of chunk.viteMetadata.importedCss) files.add(css);
  for (const name of chunk.imports) {
    const imported = chunks.find(({ fileName }) => fileName === name);
    if (imported !== undefined) addFiles(imported, files);
  }
}
