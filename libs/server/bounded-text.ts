/** Reads the body of a response. Throws above the size limit without reading the rest. */
export async function boundedText(response: Response, bytesMax: number): Promise<string> {
  const body: AsyncIterable<Uint8Array> | null = response.body;
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    parts.push(part);
    bytes += part.byteLength;
    if (bytes > bytesMax) throw new Error(`${new URL(response.url).hostname} returned more than ${bytesMax} bytes`);
  }
  return Buffer.concat(parts).toString('utf8');
}
