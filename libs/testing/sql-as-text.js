/** Jest's side of `import sql from './x.sql'`; the build has its own (moduleTypes). */
export default { process: (text) => ({ code: `export default ${JSON.stringify(text)};` }) };
