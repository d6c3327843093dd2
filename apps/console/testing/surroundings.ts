import { jest } from '@jest/globals';
import { configure } from '@testing-library/react';

// a busy machine is no failure: what is waited for may take its time
configure({ asyncUtilTimeout: 20_000 });

// Testing Library moves Jest's timers itself while it waits, and finds them by this name
Object.assign(globalThis, { jest });
