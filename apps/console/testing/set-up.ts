import { afterEach, jest } from '@jest/globals';
import { configure } from '@testing-library/dom';
import '@testing-library/jest-dom/jest-globals';
import { showLocale } from '../texts/locale';
import { leaveConsole } from './leave-console';

// Generous timeout, so that a busy machine does not fail tests.
configure({ asyncUtilTimeout: 20_000 });

// jsdom does not implement native dialogs.
HTMLDialogElement.prototype.showModal = function showModal() {
  this.open = true;
};
HTMLDialogElement.prototype.close = function close() {
  this.open = false;
  this.dispatchEvent(new Event('close'));
};

// jsdom does not draw. A spec that needs a canvas replaces this.
HTMLCanvasElement.prototype.getContext = () => null;

// Testing Library advances Jest's timers while it waits, and finds them under this name.
Object.assign(globalThis, { jest });

const wide = globalThis.matchMedia;

/** Ends each test on an empty English page of a wide screen, logged out, with a running clock. */
afterEach(async () => {
  jest.useRealTimers();
  jest.restoreAllMocks();
  leaveConsole();
  history.replaceState(null, '', '/');
  globalThis.matchMedia = wide;
  await showLocale('en', { persist: false });
});
