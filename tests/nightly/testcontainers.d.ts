/** What the tests use of testcontainers, so that types are checked without installing it. */
declare module 'testcontainers' {
  export class GenericContainer {
    constructor(image: string);
    withNetworkMode(mode: string): this;
    withEnvironment(environment: Record<string, string>): this;
    withCopyContentToContainer(
      files: { readonly target: string; readonly content: string; readonly mode: number }[],
    ): this;
    withCommand(command: string[]): this;
    start(): Promise<{
      getId(): string;
      exec(command: string[]): Promise<{ readonly exitCode: number; readonly output: string }>;
    }>;
  }

  /** Returns the client of the engine, whose containers are those of dockerode. */
  export function getContainerRuntimeClient(): Promise<{
    readonly container: {
      getById(id: string): {
        kill(): Promise<unknown>;
        wait(): Promise<unknown>;
        start(): Promise<unknown>;
        pause(): Promise<unknown>;
        unpause(): Promise<unknown>;
        remove(options: { readonly force: boolean; readonly v: boolean }): Promise<unknown>;
      };
    };
  }>;
}
