export * from './fixture';
export * from './fixture-clock';
export { type BuiltProvisioner, buildProvisioner, OPTIONS, type ProvisionerParts } from './build-provisioner';
export { MemoryCopies } from '@moorage/provisioner/clouds/sandbox/simulated-copies';
export * from './crash-points';
export * from './customer';
export * from '../../fakes/host-activity';
export * from './real-host';
