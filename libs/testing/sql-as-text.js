/** Lets Jest import SQL files as text (`import sql from './x.sql'`). The build uses moduleTypes for this. */
export default { process: (text) => ({ code: `export default ${JSON.stringify(text)};` }) };
