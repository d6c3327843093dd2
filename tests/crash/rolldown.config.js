import server from '../../rolldown.config.js';
import { packagesInside } from '../../scripts/packages-inside.mjs';

/**
 * The server once more, as scripts that can be kept compiled (kept-code.ts): loading is most of what starting a process
 * costs, and the crash tests start some two hundred.
 */
export default {
  ...server,
  input: { ...server.input, 'kept-code': 'tests/crash/kept-code.ts' },
  external: packagesInside(),
  plugins: [
    ...server.plugins,
    {
      name: 'commonjs-whatever-is-above',
      generateBundle() {
        this.emitFile({ type: 'asset', fileName: 'package.json', source: '{ "type": "commonjs" }' });
      },
    },
  ],
  // pg takes a Node without it for Cloudflare's perhaps, and loads all of fetch to find out; Node 21 has it
  transform: { define: { navigator: '{"userAgent":"Node.js"}' } },
  output: {
    dir: 'dist/crash',
    cleanDir: true,
    // only scripts can be kept compiled, not modules
    format: 'cjs',
    // without comments and blanks there is half as much to read; names stay, for logs
    minify: { compress: false, mangle: false, codegen: true },
  },
};
