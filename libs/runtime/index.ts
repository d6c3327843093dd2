export * from './product-events';
export * from './run-service';
export * from './service';
export * from './settings';
