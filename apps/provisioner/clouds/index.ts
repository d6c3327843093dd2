export * from './cloud';
export { notConfiguredClouds } from './not-configured';
export { FAULT_MODES, type FaultMode, type SandboxCall } from './sandbox/faults';
export { SANDBOX_ZONE } from './sandbox/names';
export { halfOf, type ScriptAnswer, workOf } from './sandbox/host-scripts';
export { type HostState, newHost } from './sandbox/host-state';
export { createSandbox, type Sandbox } from './sandbox/sandbox';
