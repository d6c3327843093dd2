import type { Instant } from '@moorage/domain';
import { strToU8, Zip, ZipDeflate } from 'fflate';

export interface ZipFile {
  /** Compresses more text. */
  write(text: string): void;
  end(): void;
}

/** A zip archive whose files are written concurrently, so that only compressed data stays in memory. */
export class ZipArchive {
  private readonly chunks: Uint8Array[] = [];
  private readonly zip = new Zip((error, chunk) => {
    if (error !== null) throw error;
    this.chunks.push(chunk);
  });

  /** `at` is the modification time of its files. */
  constructor(private readonly at: Instant) {}

  file(name: string): ZipFile {
    const file = new ZipDeflate(name);
    file.mtime = this.at;
    this.zip.add(file);
    return {
      write: (text) => file.push(strToU8(text)),
      end: () => file.push(new Uint8Array(0), true),
    };
  }

  /** Returns the archive. Must be called after every file has ended. */
  bytes(): Buffer {
    this.zip.end();
    return Buffer.concat(this.chunks);
  }
}
