/**
 * Attacks every regular expression of some folders with long texts that almost match, and measures the CPU time of this
 * process. It is a separate process so that its parent can limit its CPU time. The last line of stderr then names an
 * expression that never ends. Reads `{ folders, more }` as JSON (`more`: further expressions as `[where, source,
 * flags]`) and writes its findings.
 */
import { readdirSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import ts from 'typescript';

/** Lengths of the texts in growing steps. An expression that is far too slow at one step is not tried at the next. */
const FEW = 400;
const SHORT = 4_000;
const LONG = 4 * SHORT;
/** Limit for FEW characters. A cubic search takes longer, a quadratic one much less. */
const HOPELESS_MS = 5;
/** Limit for SHORT characters. A quadratic search takes longer, a linear one much less. */
const SUSPICIOUS_MS = 3;

const { folders, more } = JSON.parse(readFileSync(0, 'utf8'));
const created = [];
const expressions = [...folders.flatMap(scan), ...more.map(([where, source, flags]) => ({ where, source, flags }))];
const slow = expressions.flatMap((expression) => attack(expression) ?? []);
process.stdout.write(JSON.stringify({ count: expressions.length, created, slow }));

/** Finds the literals in a folder's sources. Expressions that are built at run time are added to `made`. */
function scan(folder) {
  const files = readdirSync(folder, { recursive: true }).filter(
    (name) => name.endsWith('.ts') && !/\.spec\.ts$|(^|\/)testing(\.ts$|\/)/.test(name),
  );
  return files.sort().flatMap((name) => {
    const where = join(folder, name);
    const found = [];
    const visit = (node) => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/');
        found.push({ where, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
      } else if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp') {
        created.push(where);
      }
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(where, readFileSync(where, 'utf8'), ts.ScriptTarget.Latest, true));
    return found;
  });
}

/** Returns the name of the expression if the time of an attack grows faster than its length. */
function attack({ where, source, flags }) {
  const name = `${where} /${source}/${flags}`;
  writeSync(2, `${name}\n`);
  const expression = new RegExp(source, flags.replace(/[gy]/g, ''));
  for (const text of attacksOn(expression)) {
    const least = (n) => Math.min(...[1, 2, 3].map(() => cpuOf(expression, text(n))));
    if (cpuOf(expression, text(FEW)) > HOPELESS_MS && least(FEW) > HOPELESS_MS) return [{ name }];
    if (cpuOf(expression, text(SHORT)) > SUSPICIOUS_MS) {
      const [short, long] = [least(SHORT), least(LONG)];
      if (long > 10 * SUSPICIOUS_MS && long / short > 8) return [{ name }];
    }
  }
  return [];
}

function cpuOf(expression, text) {
  const before = process.cpuUsage();
  expression.test(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Returns texts that match, followed by repetitions of a piece of them and by something that does not match. */
function attacksOn(expression) {
  const pieces = new Set();
  const add = (head, pump, tail) => pieces.add(JSON.stringify([head, pump, tail]));
  for (const sample of samplesOf(expression)) {
    for (let from = 0; from < Math.min(sample.length, 16); from++) {
      for (const size of [1, 2, 5]) {
        const pump = sample.slice(from, from + size);
        for (const tail of ['', '\u0000!']) add(sample.slice(0, from), pump, sample.slice(from) + tail);
      }
    }
  }
  const letters = new Set([...expression.source.replace(/\\[a-zA-Z]/g, ''), ...'aA0 .-_/@:\n\u00e9']);
  for (const letter of letters) for (const tail of ['', '\u0000!', 'a\u0000']) add('', letter, tail);
  return [...pieces].map((piece) => {
    const [head, pump, tail] = JSON.parse(piece);
    return (n) => head + pump.repeat(Math.ceil(n / pump.length)) + tail;
  });
}

/**
 * Generates matching texts. The generator does not support named character classes and lookarounds, which are attacked
 * with the letters alone.
 */
function samplesOf(expression) {
  try {
    return fc.sample(fc.stringMatching(expression), { numRuns: 6, seed: 7 });
  } catch {
    return [];
  }
}
