import type { Instant } from '@moorage/domain';
import { strToU8, Zip, ZipDeflate } from 'fflate';

export interface ZipFile {
  /** Compresses some more text. */
  write(text: string): void;
  end(): void;
}

/** A zip archive whose files are written side by side, so that nothing but what is compressed stays in memory. */
export class ZipArchive {
  private readonly chunks: Uint8Array[] = [];
  private readonly zip = new Zip((error, chunk) => {
    if (error !== null) throw error;
    this.chunks.push(chunk);
  });

  /** `at`: when its files were changed. */
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

  /** After the end of every file. */
  bytes(): Buffer {
    this.zip.end();
    return Buffer.concat(this.chunks);
  }
}
