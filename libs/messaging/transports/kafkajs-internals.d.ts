declare module 'kafkajs/src/network/requestQueue/index.js' {
  const RequestQueue: { prototype: { pending: readonly unknown[]; scheduleCheckPendingRequests: () => void } };
  export default RequestQueue;
}
