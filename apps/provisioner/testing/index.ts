export * from './bench';
export * from './bench-clock';
export { type BuiltProvisioner, buildProvisioner, type ProvisionerParts } from './build-provisioner';
export * from './crash-points';
export * from './customer';
export * from './host-activity';
