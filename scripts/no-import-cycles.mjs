import ts from 'typescript';

/**
 * ESLint: no file imports itself by way of others, not even for types alone. `import()` is left out: what is loaded on
 * demand is loaded after whoever asks for it.
 */
export const noImportCycles = {
  meta: { type: 'problem', schema: [], messages: { cycle: 'import cycle: {{files}}' } },
  create(context) {
    const { program, esTreeNodeToTSNodeMap } = context.sourceCode.parserServices;
    const own = esTreeNodeToTSNodeMap.get(context.sourceCode.ast);
    const check = ({ source }) => {
      if (source === null) return;
      const target = importedBy(program, esTreeNodeToTSNodeMap.get(source));
      const path = target === undefined ? undefined : pathFrom(program, target, own);
      if (path === undefined) return;
      const files = [own, ...path].map(({ fileName }) => fileName.slice(program.getCurrentDirectory().length + 1));
      context.report({ node: source, messageId: 'cycle', data: { files: files.join(' -> ') } });
    };
    return { ImportDeclaration: check, ExportNamedDeclaration: check, ExportAllDeclaration: check };
  },
};

/** The file of this repository behind the specifier of an import. */
function importedBy(program, specifier) {
  const symbol = program.getTypeChecker().getSymbolAtLocation(specifier);
  const file = symbol?.declarations?.find(ts.isSourceFile);
  return file === undefined || file.isDeclarationFile || file.fileName.includes('/node_modules/') ? undefined : file;
}

/** What each file imports, found out once for a program. */
const graphs = new WeakMap();

function importsOf(program, file) {
  const graph = graphs.get(program) ?? new Map();
  graphs.set(program, graph);
  const known = graph.get(file);
  if (known !== undefined) return known;
  const imports = file.statements
    .filter((statement) => ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement))
    .map(({ moduleSpecifier }) => moduleSpecifier && importedBy(program, moduleSpecifier))
    .filter((imported) => imported !== undefined);
  graph.set(file, imports);
  return imports;
}

/** The shortest way from one file to another along imports, with both ends. */
function pathFrom(program, from, to) {
  const cameFrom = new Map([[from, undefined]]);
  for (const file of cameFrom.keys()) {
    if (file === to) {
      const path = [];
      for (let at = file; at !== undefined; at = cameFrom.get(at)) path.unshift(at);
      return path;
    }
    for (const imported of importsOf(program, file)) if (!cameFrom.has(imported)) cameFrom.set(imported, file);
  }
  return undefined;
}
