export * from './bench';
export * from './bench-clock';
export * from './crash-points';
export * from './customer';
export * from './host-activity';
