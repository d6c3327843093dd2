import { jest } from '@jest/globals';

/** Replaces the canvas, which jsdom lacks, by one that records the texts and the starts of lines. */
export function withCanvas(): { readonly texts: () => readonly string[]; readonly colours: () => readonly string[] } {
  const texts: string[] = [];
  const colours: string[] = [];
  const context = new Proxy<Record<string, unknown>>(
    {
      fillText: (text: string) => void texts.push(text),
      measureText: (text: string) => ({ width: text.length * 6 }),
    },
    {
      get: (target, name) => target[String(name)] ?? (() => undefined),
      set(target, name, value) {
        if (name === 'strokeStyle') colours.push(String(value));
        target[String(name)] = value;
        return true;
      },
    },
  );
  jest
    .spyOn(HTMLCanvasElement.prototype, 'getContext')
    .mockImplementation((() => context) as unknown as HTMLCanvasElement['getContext']);
  globalThis.Path2D = class {
    moveTo(): void {}
    lineTo(): void {}
    rect(): void {}
    arc(): void {}
    closePath(): void {}
    addPath(): void {}
  } as unknown as typeof Path2D;
  return { texts: () => texts, colours: () => colours };
}
