import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { EVENTS } from '@moorage/contracts';

/** A product file with its code. */
export interface Source {
  readonly file: string;
  readonly text: string;
}

/** Fields of most events of a deployment, which the table abbreviates. */
const IDS = ['deployment_id', 'user_id'];

/** Returns the files of the product that send or handle events. */
export function eventSources(): Source[] {
  return ['apps', 'libs']
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)))
    .filter((file) => file.endsWith('.ts') && !/\.(spec|suite|e2e)\.ts$|\btesting\b/.test(file))
    .sort()
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
    .filter(({ text }) => /\bevent\(|@OnEvent\(/.test(text));
}

/** Returns the files that send an event. */
export function sendersOf(name: string, sources: readonly Source[]): string[] {
  return (
    sources
      .filter(({ text }) => /\bevent\(/.test(text) && text.includes('@moorage/contracts'))
      // Handlers and audit records name events, too.
      .filter(({ text }) => text.replaceAll(/@OnEvent\([^)]*\)|action: '[^']*'/g, '').includes(`'${name}'`))
      .map(({ file }) => file)
  );
}

/** Returns the files that handle an event. Handlers of every event name none. */
export function handlersOf(name: string, sources: readonly Source[]): string[] {
  return sources
    .filter(({ text }) => text.includes('@OnEvent(') && handledNames(text).includes(`'${name}'`))
    .map(({ file }) => file);
}

/** Returns the code that names the handled events: the decorators, or the whole file if they name a constant. */
function handledNames(text: string): string {
  const decorators = [...text.matchAll(/@OnEvent\(([^)]*)\)/g)].map(([, names = '']) => names);
  return decorators.some((names) => names.startsWith('...')) ? text : decorators.join();
}

/** Returns the table of `docs/events.md`, which `node scripts/documents.mjs` writes. */
export function eventTable(): string {
  const sources = eventSources();
  const files = (found: readonly string[]): string => found.map((file) => `\`${file}\``).join(', ');
  const rows = Object.entries(EVENTS).map(([name, { stream, version, data }]) => {
    const fields = Object.keys(data.shape);
    const ids = IDS.every((field) => fields.includes(field));
    const shown = [
      ...(ids ? ['ids'] : []),
      ...fields.filter((field) => !ids || !IDS.includes(field)).map((field) => `\`${field}\``),
    ];
    const cells = [
      `\`${name}\``,
      stream,
      `${version}`,
      shown.join(', '),
      files(sendersOf(name, sources)),
      files(handlersOf(name, sources)),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return ['| event | stream | version | data | sent by | handled by |', '|---|---|---|---|---|---|', ...rows].join(
    '\n',
  );
}
