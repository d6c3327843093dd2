import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { userData } from './user-data';

interface CloudConfig {
  readonly write_files?: readonly { path: string; permissions: string; content: string }[];
  readonly runcmd?: readonly (readonly string[])[];
}
const KEYS = { authorised: 'ssh-ed25519 AAAA moorage', hostPrivateKey: 'PRIVATE' };
const TOKEN = `7.${'a'.repeat(43)}`;
const read = (text: string): CloudConfig => parse(text) as CloudConfig;

it('omits the callback for a server that is not expected to call', () => {
  const config = read(userData({ ...KEYS, firstBoot: null }));
  expect([config.write_files, config.runcmd]).toEqual([undefined, undefined]);
});

describe('callback of the first boot', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'moorage-boot-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('has its token in a file for root alone, and in no command', () => {
    const text = userData({
      ...KEYS,
      firstBoot: { url: 'https://console.example/api/webhooks/clouds/aws', token: TOKEN },
    });
    const { write_files: files = [], runcmd = [] } = read(text);
    expect(files).toMatchObject([{ permissions: '0600', content: expect.stringContaining(TOKEN) }]);
    expect(JSON.stringify(runcmd)).not.toContain(TOKEN);
    expect(Buffer.byteLength(text)).toBeLessThan(4_096);
  });

  it('is sent by curl in the background, and its file is removed', async () => {
    const calls: unknown[] = [];
    const server = createServer(({ method, url, headers }, response) => {
      calls.push([method, url, headers['moorage-first-boot'], headers['content-type']]);
      response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const firstBoot = { url: `http://127.0.0.1:${port}/api/webhooks/clouds/aws`, token: TOKEN };
    const { write_files: [file] = [], runcmd: [command] = [] } = read(userData({ ...KEYS, firstBoot }));
    const there = join(folder, 'call');
    writeFileSync(there, file?.content ?? '');
    const script = command?.[2]?.replaceAll(file?.path ?? '', there) ?? '';
    expect(script).toMatch(/^\(timeout \d+ curl .*\) >\/dev\/null 2>&1 &$/);
    await promisify(execFile)('sh', ['-c', script.slice(0, -1)]);
    server.close();
    expect(calls).toEqual([['POST', '/api/webhooks/clouds/aws', TOKEN, 'application/json']]);
    expect(existsSync(there)).toBe(false);
  });
});
