import { cleanup } from '@testing-library/react';
import { restoreSession } from '../data/session';
import { forgetToasts } from '../ui/toasts';

/** Leaves the page as a reload does, which keeps the tab's storage, but logs out. */
export function leavePage(): void {
  cleanup();
  forgetToasts();
  localStorage.clear();
  sessionStorage.removeItem('view');
  restoreSession();
}

/** Leaves the page and clears all state. */
export function leaveConsole(): void {
  leavePage();
  sessionStorage.clear();
}
