import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { render } from '@testing-library/react';
import { isPublicPath } from '../data/addresses';
import { SideSkeleton } from '../parts/side-skeleton';
import { ADDRESSES } from './screens';

const file = (name: string): string => readFileSync(join('apps', 'console', name), 'utf8');
const run = (): void => {
  // eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call
  new Function(file('static/first-paint.js'))();
};

afterEach(() => {
  localStorage.clear();
  history.replaceState(null, '', '/');
  document.body.className = '';
  document.documentElement.dataset.theme = 'light';
});

describe('first paint', () => {
  it('shows what the app draws while it loads', () => {
    const page = new DOMParser().parseFromString(file('index.html'), 'text/html');
    const drawn = page.getElementById('root')?.innerHTML ?? '';
    expect(drawn.replace(/\s+(?=[<>])|(?<=>)\s+/g, '')).toBe(render(<SideSkeleton />).container.innerHTML);
  });

  it.each([...ADDRESSES, '/pricing/', '/dashboard/'])('knows the side of %s', (address) => {
    history.replaceState(null, '', address.replace(/:\w+/g, '1'));
    run();
    expect(document.body.classList.contains('pub')).toBe(isPublicPath(location.pathname));
  });

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
