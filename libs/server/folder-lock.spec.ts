import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FolderInUse, lockFolder } from './folder-lock';

/** Locks the folder and prints that it did, then runs until it is killed. */
const TAKER = `
  const { lockFolder } = await import(process.argv[1]);
  try {
    await lockFolder(process.argv[2], process.argv[3]);
    console.log('holds');
    setInterval(() => undefined, 1000);
  } catch (error) {
    console.log(error.name === 'FolderInUse' ? 'refused: ' + error.message : 'failed: ' + error.stack);
  }`;

describe('data folder lock', () => {
  let top: string;
  let folder: string;
  let started: ChildProcess[];
  beforeEach(async () => {
    top = await mkdtemp(join(tmpdir(), 'moorage-lock-'));
    folder = join(top, 'data');
    started = [];
  });
  afterEach(async () => {
    for (const child of started) child.kill('SIGKILL');
    await rm(top, { recursive: true, force: true });
  });

  async function take(use = 'product', at = folder): Promise<{ output: string; child: ChildProcess }> {
    const child = spawn(
      process.execPath,
      ['--input-type=module', '-e', TAKER, resolve('libs/server/folder-lock.js'), at, use],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    started.push(child);
    const [output] = (await once(child.stdout, 'data')) as [Buffer];
    return { output: String(output).trim(), child };
  }

  async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  it('rejects a second process with a message that names the first', async () => {
    const first = await take();
    const second = await take();
    expect(first.output).toBe('holds');
    expect(second.output).toBe(
      `refused: Moorage (process ${first.child.pid}) already uses the data folder ${folder}: stop it first, or set DATA_DIR to another folder.`,
    );
    await expect(lockFolder(folder, 'command')).rejects.toMatchObject({
      holder: { pid: first.child.pid, use: 'product' },
    });
    expect((await readdir(join(folder, 'lock'))).length).toBe(1);
  });

  it('ends with its process, including kill -9, and leaves nothing that accumulates', async () => {
    for (let round = 0; round < 3; round++) {
      const { output, child } = await take();
      expect(output).toBe('holds');
      await end(child, 'SIGKILL');
    }
    const lock = await lockFolder(folder, 'product');
    expect((await readdir(join(folder, 'lock'))).length).toBe(1);
    lock.release();
    expect(await readdir(join(folder, 'lock'))).toEqual([]);
    expect((await take()).output).toBe('holds');
  });

  it('is held by a stopped process that cannot respond', async () => {
    const { child } = await take();
    child.kill('SIGSTOP');
    await expect(lockFolder(folder, 'product')).rejects.toThrow(/A process that does not answer already uses/);
    child.kill('SIGCONT');
    expect((await take('command')).output).toMatch(/^refused: Moorage/);
  });

  it('is acquired by exactly one of many concurrent starts', async () => {
    for (let round = 0; round < 4; round++) {
      const output = (await Promise.all(Array.from({ length: 8 }, () => take()))).map(
        (one) => one.output.split(':')[0],
      );
      expect(output.sort()).toEqual(['holds', ...Array<string>(7).fill('refused')]);
      for (const child of started.splice(0)) await (child.exitCode === null ? end(child, 'SIGKILL') : undefined);
    }
  });

  it('is the same lock for a process under another name of the folder', async () => {
    const lock = await lockFolder(folder, 'product');
    expect(await lockFolder(join(folder, '..', 'data'), 'product')).toBe(lock);
    lock.release();
  });

  it('works if the path is longer than a socket address', async () => {
    const deep = join(top, 'a'.repeat(100), 'b'.repeat(100));
    const { output, child } = await take('product', deep);
    expect(output).toBe('holds');
    expect((await take('product', deep)).output).toMatch(/^refused: Moorage/);
    await end(child, 'SIGKILL');
    expect((await take('product', deep)).output).toBe('holds');
  });

  it('removes drafts of processes killed while they created them', async () => {
    await mkdir(join(folder, 'lock'), { recursive: true });
    const draft = join(folder, 'lock', '0123456789abcdef.draft');
    await writeFile(draft, '');
    await utimes(draft, 1, 1);
    const lock = await lockFolder(folder, 'product');
    expect((await readdir(join(folder, 'lock'))).filter((name) => name.endsWith('.draft'))).toEqual([]);
    lock.release();
  });

  it('explains what to do if a folder does not support it', async () => {
    await writeFile(join(top, 'file'), '');
    await expect(lockFolder(join(top, 'file'), 'product')).rejects.not.toBeInstanceOf(FolderInUse);
  });
});
