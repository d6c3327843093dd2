export * from './cloud';
export * from './host-activity';
export * from './memory-hosts';
export * from './memory.cloud';
export { notConfiguredClouds } from './not-configured';
export { FAULT_MODES, type FaultMode, type SandboxCall } from './sandbox/faults';
export { SANDBOX_ZONE } from './sandbox/names';
export { createSandbox, type Sandbox } from './sandbox/sandbox';
