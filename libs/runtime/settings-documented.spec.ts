import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { SETTINGS } from './settings';
import { envExample, settingsTables, withCloudSecrets } from './settings-documents';

/** The files are written by `node scripts/documents.mjs`. */
describe('every setting', () => {
  it('is described', () => {
    expect(Object.entries(SETTINGS).filter(([, { description = '' }]) => description === '')).toEqual([]);
  });

  it('is in .env.example with its default', () => {
    expect(readFileSync('.env.example', 'utf8')).toBe(envExample());
  });

  it('is in the tables of docs/settings.md', () => {
    const [, tables = ''] = readFileSync('docs/settings.md', 'utf8').split(/<!-- \/?settings -->\n/);
    expect(tables.trim()).toBe(settingsTables().trim());
  });

  it('that is a secret of a cloud is in docker-compose.yml', () => {
    const compose = readFileSync('docker-compose.yml', 'utf8');
    expect(compose).toBe(withCloudSecrets(compose));
  });
});
