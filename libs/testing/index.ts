export * from './accounts';
export * from './database';
export * from './invariants';
export * from './planted-bugs';
export * from './world/network';
export * from './world/scheduler';
export * from './world/virtual-clock';
export * from './world/world';
