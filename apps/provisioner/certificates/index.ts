export * from './authority-words';
export * from './certificate-check';
export * from './types';
