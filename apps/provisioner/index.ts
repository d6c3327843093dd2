export * from './certificates/types';
export * from './clouds';
export * from './dns/types';
export { startProvisioner } from './process';
export * from './provisioner';
export * from './runs/pace';
export * from './ssh';
export { readPackages } from './stacks/packages';
export * from './stacks/types';
