import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';

const run = (): void => {
  // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call
  new Function(readFileSync(join('apps', 'console', 'static', 'first-paint.js'), 'utf8'))();
};

afterEach(() => {
  localStorage.clear();
  document.documentElement.dataset.theme = 'light';
});

describe('first paint', () => {
  it.each([
    ['dark', 'dark'],
    ['light', 'light'],
    ['nonsense', 'light'],
  ])('has the theme %s', (chosen, theme) => {
    localStorage.setItem('theme', chosen);
    run();
    expect(document.documentElement.dataset.theme).toBe(theme);
  });
});
