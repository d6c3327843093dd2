import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HOST_SCRIPTS, type HostScriptName } from './host-scripts';

/** The texts of infra/host, read once at the start: each with what all of them share in front. */
export interface HostScripts {
  readonly of: Readonly<Record<HostScriptName, string>>;
  /** Puts uploaded files in their places, for users other than root. */
  readonly place: string;
}

export async function readHostScripts(folder: string): Promise<HostScripts> {
  const read = (name: string): Promise<string> => readFile(join(folder, `${name}.sh`), 'utf8');
  const common = await read('common');
  const stack = await read('stack');
  const texts = await Promise.all(
    HOST_SCRIPTS.map(async (name): Promise<[HostScriptName, string]> => [name, common + stack + (await read(name))]),
  );
  return { of: Object.fromEntries(texts) as Record<HostScriptName, string>, place: await read('place') };
}
