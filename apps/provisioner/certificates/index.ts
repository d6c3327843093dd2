export * from './certificate-check';
export * from './types';
