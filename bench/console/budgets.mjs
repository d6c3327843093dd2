import react from '@vitejs/plugin-react';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import { readBuild } from './sizes.mjs';

const OURS = resolve('dist', 'bench', 'console');
const SMALLEST = resolve('dist', 'bench', 'console-minimal');
const PUBLIC = ['home', 'login', 'signup', 'pricing'].map((name) => `public/${name}.tsx`);
/** The frame of the console, the dashboard, and the texts of a language, without which nothing is rendered. */
const DASHBOARD = ['index.html', 'app/console.tsx', 'resources/deployments/list.tsx', 'en/console/index.ts'];

/** Limits as multiples of the smallest react-admin application. */
const LIMITS = {
  // The aim is 0.30. React is 0.22 of it, and pricing alone has a third of the texts.
  public_pages: 0.35,
  first_dashboard_load: 1.15,
  // The aim is 0.10. Only the public suffix list is larger, whose labels are one string of 33 kB.
  largest_later_file: 0.17,
  // Form fields, menus and dialogs of MUI, which the dashboard does without. The next page has them already.
  largest_later_page: 0.46,
};

/**
 * Builds the console and the smallest react-admin application with the same Vite. Returns the folder of the console,
 * lines about sizes, and what a browser loads as a multiple of that application, each with its limit.
 */
export async function measureSizes() {
  const quiet = { logLevel: 'error' };
  await build({
    ...quiet,
    configFile: join('apps', 'console', 'vite.config.js'),
    build: { outDir: OURS, manifest: true, emptyOutDir: true },
  });
  await build({
    ...quiet,
    configFile: false,
    root: join('bench', 'console', 'minimal'),
    plugins: [react()],
    build: { outDir: SMALLEST, manifest: true, emptyOutDir: true, target: 'es2023', chunkSizeWarningLimit: 2_000 },
  });
  const reference = readBuild(SMALLEST).load('index.html');
  const ours = readBuild(OURS);
  const publicPages = PUBLIC.map((page) => ({ name: page, bytes: ours.load('index.html', page) }));
  const dashboard = ours.load(...DASHBOARD);
  const laterFiles = ours.laterFiles(...DASHBOARD);
  const laterPages = ours.later(...DASHBOARD);
  const sizes = {
    public_pages: Math.max(...publicPages.map(({ bytes }) => bytes)),
    first_dashboard_load: dashboard,
    largest_later_file: laterFiles[0].bytes,
    largest_later_page: laterPages[0].bytes,
  };
  const line = (kind) => (each) => `${kind}: ${each.name} ${kB(each.bytes)}`;
  return {
    folder: OURS,
    lines: [
      `smallest react-admin application: ${kB(reference)} of JavaScript after gzip -9`,
      ...publicPages.map(line('public page')),
      `first dashboard load: ${kB(dashboard)}`,
      ...laterFiles.slice(0, 5).map(line('later file')),
      ...laterPages.slice(0, 5).map(line('later page')),
    ],
    figures: Object.entries(sizes).map(([name, bytes]) => ({
      name,
      ratio: Math.round((bytes / reference) * 1_000) / 1_000,
      limit: LIMITS[name],
    })),
  };
}

const kB = (bytes) => `${(bytes / 1_000).toFixed(1)} kB`;
