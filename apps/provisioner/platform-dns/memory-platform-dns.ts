import type { PlatformDns, PlatformRecords } from './platform-dns';

/** Simulated DNS. The sandbox resolves the names, so the records only have to be listed. */
export class MemoryPlatformDns implements PlatformDns {
  private readonly names = new Map<string, PlatformRecords>();

  list(): Promise<readonly PlatformRecords[]> {
    return Promise.resolve([...this.names.values()]);
  }

  put({ name, address }: { readonly name: string; readonly address: string }): Promise<void> {
    this.names.set(name, { name, addresses: [address], wildcard: [address] });
    return Promise.resolve();
  }

  remove(name: string): Promise<void> {
    this.names.delete(name);
    return Promise.resolve();
  }
}
