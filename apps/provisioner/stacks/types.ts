import type { Random } from '@moorage/server';
import type { HostFile } from '../ssh/types';
import type { Manifest } from './manifest';

/** A package's folder as it was read at the start. */
export interface Package {
  readonly manifest: Manifest;
  /** Template file name -> its text: the folder's own, and those of its base that it has none of its own for. */
  readonly templates: ReadonlyMap<string, string>;
}

/** Every package by name, hidden ones included. */
export abstract class Packages {
  abstract find(name: string): Package | null;
  abstract all(): readonly Package[];
}

/** Env name -> value: what was asked in the wizard, without secrets (`deployments.config`). */
export type StackValues = Readonly<Record<string, string>>;
/** Env name -> value: secrets asked in the wizard and those of `missingSecrets`, opened. */
export type StackSecrets = Readonly<Record<string, string>>;

export interface StackOptions {
  readonly ref: string;
  readonly acmeDirectoryUrl: string;
  /** `off`: a lab whose servers cannot fetch router plugins. */
  readonly traefikPlugins: 'on' | 'off';
  /** The preflight's fact: a network with IPv6 fails on a host without. */
  readonly ipv6: boolean;
}

/** Pure: the same input gives the same files. Absolute paths, ready for `session.upload`. Throws RangeError on a value that no file can carry. */
export type RenderStack = (
  pack: Package,
  values: StackValues,
  secrets: StackSecrets,
  options: StackOptions,
) => HostFile[];

/** The secrets the platform makes for this package and these values, without those that exist already: seal them before the first upload, never make them twice. */
export type MissingSecrets = (
  manifest: Manifest,
  values: StackValues,
  known: ReadonlySet<string>,
  random: Random,
) => Record<string, string>;

/** A name that must lead to the server, from the manifest's `dns` and the deployment's values. */
export interface WantedHost {
  readonly host: string;
  readonly required: boolean;
  /** A certificate is expected for it. */
  readonly tls: boolean;
  readonly probe: Probe | null;
}

export interface Probe {
  readonly path: string;
  readonly expect: readonly number[];
  /** A text the body must hold. */
  readonly body: string | null;
}
