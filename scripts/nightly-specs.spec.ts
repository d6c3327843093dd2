import { existsSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { NIGHTLY_SPECS } from './nightly-specs.js';

describe('the specs of nightly parts', () => {
  it('exist', () => {
    const missing = Object.values(NIGHTLY_SPECS)
      .flat()
      .filter((path) => !existsSync(path));
    expect(missing).toEqual([]);
  });
});
