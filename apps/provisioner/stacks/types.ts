import type { Random } from '@moorage/server';
import type { HostFile } from '../ssh/types';
import type { Manifest } from './manifest';

/** A release of a package, from its folder as read at the start. */
export interface Package {
  readonly manifest: Manifest;
  /** Version of the release. */
  readonly version: string;
  /** Images and versions of the release by the names that templates use. */
  readonly pins: ReadonlyMap<string, string>;
  /** Text by template file name, from the folder itself or else from its base. */
  readonly templates: ReadonlyMap<string, string>;
}

/** All packages by name, including hidden packages. */
export abstract class StackPackages {
  /** Finds a release, by default the first one. Returns null for an unknown package or version. */
  abstract find(name: string, version?: string | null): Package | null;
  /** Returns every release of every package. */
  abstract all(): readonly Package[];
}

/** Values from the wizard by env name, without secrets (`deployments.config`). */
export type StackValues = Readonly<Record<string, string>>;
/** Opened secrets by env name, from the wizard and from `missingSecrets`. */
export type StackSecrets = Readonly<Record<string, string>>;

export interface StackOptions {
  readonly ref: string;
  readonly acmeDirectoryUrl: string;
  /** `off` is for labs without access to router plugins. */
  readonly traefikPlugins: 'on' | 'off';
  /** Fact from the preflight. A network with IPv6 fails on a host without IPv6. */
  readonly ipv6: boolean;
  /**
   * Whether files that these values do not need are written empty, because a previous stack with other values may have
   * left them.
   */
  readonly empties?: boolean;
  /** Further domains for which the router has redirects. None by default. */
  readonly redirects?: readonly string[];
}

/**
 * Pure function. Returns files with absolute paths for `session.upload`. Throws RangeError for a value that cannot be
 * written to its file.
 */
export type RenderStack = (
  pack: Package,
  values: StackValues,
  secrets: StackSecrets,
  options: StackOptions,
) => HostFile[];

/**
 * Generates the missing secrets for this package and these values. Seal them before the first upload, and never
 * generate them twice.
 */
export type MissingSecrets = (
  manifest: Manifest,
  values: StackValues,
  known: ReadonlySet<string>,
  random: Random,
) => Record<string, string>;

/** A name that must point to the server, from the manifest's `dns` and the deployment's values. */
export interface WantedHost {
  readonly host: string;
  readonly required: boolean;
  /** Whether a certificate is expected for it. */
  readonly tls: boolean;
  readonly probe: Probe | null;
}

export interface Probe {
  readonly path: string;
  readonly expect: readonly number[];
  /** Text that the body must contain. */
  readonly body: string | null;
}
