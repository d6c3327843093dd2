import { jest } from '@jest/globals';
import { configure } from '@testing-library/react';

// a busy machine is no failure: what is waited for may take its time
configure({ asyncUtilTimeout: 20_000 });

// jsdom shows no native dialogs
HTMLDialogElement.prototype.showModal = function showModal() {
  this.open = true;
};
HTMLDialogElement.prototype.close = function close() {
  this.open = false;
  this.dispatchEvent(new Event('close'));
};

// Testing Library moves Jest's timers itself while it waits, and finds them by this name
Object.assign(globalThis, { jest });
