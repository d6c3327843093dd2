import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

describe('the layout of emails', () => {
  it('is what MJML compiles: node scripts/mail-layout.mjs', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['scripts/mail-layout.mjs', '--print'], {
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    expect(readFileSync('apps/api/mail/layout/layout.ts', 'utf8')).toBe(stdout);
  });
});
