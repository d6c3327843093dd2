import ts from 'typescript';

/**
 * ESLint rule against import cycles, including imports of types only. `import()` is ignored, because it is loaded on
 * demand, after the importing file.
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

/** Returns the file of this repository that an import refers to. */
function importedBy(program, specifier) {
  const symbol = program.getTypeChecker().getSymbolAtLocation(specifier);
  const file = symbol?.declarations?.find(ts.isSourceFile);
  return file === undefined || file.isDeclarationFile || file.fileName.includes('/node_modules/') ? undefined : file;
}

/** Returns the imports of each file, cached per program. */
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

/** Returns the shortest import path from one file to another, including both ends. */
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
