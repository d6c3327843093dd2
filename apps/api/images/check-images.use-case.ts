import type { PackageFacts } from '@moorage/contracts';
import { Alerts, changeImage, imageChecks, type ImageRow, syncImages } from '@moorage/database';
import {
  type AlertKind,
  checkedImage,
  HOUR_MS,
  type ImageFound,
  type ImagePin,
  iso,
  isExactTag,
  isMovedImage,
  isWithdrawnImage,
  MINUTE_MS,
  newerTag,
} from '@moorage/domain';
import { Clock, Db, Log, type Tx } from '@moorage/server';
import { Injectable } from '@nestjs/common';
import { PackageManifests } from '../catalogue/packages';
import { ApiSettings } from '../settings';
import { ImageRegistry, RegistryUnreachable } from './image-registry';
import { imagesOf } from './pinned-images';

/** Time for all images. Those that are left come first in the next run. */
const RUN_MS = 15 * MINUTE_MS;
/** Minimum interval between two runs, because every process of the api has the same schedule. */
const RUNS_EVERY_MS = HOUR_MS;
const SUBJECT_MAX = 200;

interface Pinned {
  readonly pin: ImagePin;
  /** It belongs to the newest release of a package. */
  readonly isNewest: boolean;
}

/** Compares the images in the manifests with their registries, and alerts operators to what differs. */
@Injectable()
export class CheckImages {
  constructor(
    private readonly db: Db,
    private readonly clock: Clock,
    private readonly log: Log,
    private readonly alerts: Alerts,
    private readonly packages: PackageManifests,
    private readonly settings: ApiSettings,
  ) {}

  async run(): Promise<void> {
    const pinned = this.settings.checksImages ? pinnedIn(this.packages.listed()) : new Map<string, Pinned>();
    const images = await this.db.tx('images.begin', (tx) => this.begin(tx, [...pinned.keys()]));
    if (images === null) return;
    const signal = AbortSignal.timeout(RUN_MS);
    const registry = new ImageRegistry({ signal });
    for (const { image } of images) {
      const what = pinned.get(image);
      if (what !== undefined && !signal.aborted) await this.check(registry, image, what);
    }
    await this.db.tx('images.report', (tx) => this.report(tx));
  }

  /** Returns the images to check, or null if another process has begun a run. */
  private async begin(tx: Tx, pinned: readonly string[]): Promise<ImageRow[] | null> {
    const [lock] = await tx.query<{ got: boolean }>(
      `select pg_try_advisory_xact_lock(hashtextextended('moorage.images', 0)) as got`,
    );
    const last = await this.alerts.lastRun(tx, 'images');
    if (lock?.got !== true || (last !== null && last > (await this.clock.now(tx)) - RUNS_EVERY_MS)) return null;
    await this.alerts.checked(tx, 'images');
    await syncImages(tx, pinned);
    return imageChecks(tx);
  }

  private async check(registry: ImageRegistry, image: string, { pin, isNewest }: Pinned): Promise<void> {
    const found = await this.answered<ImageFound>(image, () => registry.find(pin));
    const tags = isNewest && pin.tag !== null ? await this.answered(image, () => registry.tags(pin)) : null;
    await this.db.tx('images.save', async (tx) => {
      const at = await this.clock.now(tx);
      const isExact = pin.tag !== null && isExactTag(pin.tag);
      const change = (before: ImageRow): ImageRow => ({
        ...before,
        ...checkedImage(before, found ?? { state: 'unreachable' }, { at, isExact }),
        newest: !isNewest ? null : tags === null || pin.tag === null ? before.newest : newerTag(pin.tag, tags),
      });
      await changeImage(tx, image, change, at);
    });
  }

  private async answered<T>(image: string, request: () => Promise<T>): Promise<T | null> {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof RegistryUnreachable)) throw error;
      this.log.info('image not checked', { image, reason: error.message });
      return null;
    }
  }

  private async report(tx: Tx): Promise<void> {
    const at = await this.clock.now(tx);
    const rows = new Map((await imageChecks(tx)).map((row) => [row.image, row]));
    const found: Record<ImageAlert, Map<string, Facts>> = {
      image_newer: new Map(),
      image_withdrawn: new Map(),
      image_moved: new Map(),
    };
    for (const facts of this.packages.listed())
      for (const { version } of facts.releases)
        for (const { name, image } of imagesOf(facts, version)) {
          const row = rows.get(image);
          if (row === undefined) continue;
          const subject = `${facts.name} ${name}`.slice(0, SUBJECT_MAX);
          const { newest, missing_from, moved_at } = row;
          if (newest !== null && version === facts.releases.at(-1)?.version)
            found.image_newer.set(subject, { image, newest });
          if (missing_from !== null && isWithdrawnImage(row))
            found.image_withdrawn.set(subject, { image, version, since: iso(missing_from) });
          if (moved_at !== null && isMovedImage(row, at))
            found.image_moved.set(subject, { image, version, at: iso(moved_at) });
        }
    for (const kind of IMAGE_ALERTS)
      await this.alerts.report(
        tx,
        kind,
        [...found[kind]].map(([subject, facts]) => ({ subject, facts })),
      );
  }
}

const IMAGE_ALERTS = ['image_newer', 'image_withdrawn', 'image_moved'] as const satisfies readonly AlertKind[];
type ImageAlert = (typeof IMAGE_ALERTS)[number];
type Facts = Readonly<Record<string, string>>;

function pinnedIn(packages: readonly PackageFacts[]): Map<string, Pinned> {
  const pinned = new Map<string, Pinned>();
  for (const facts of packages)
    for (const { version } of facts.releases)
      for (const { image, pin } of imagesOf(facts, version)) {
        const isNewest = version === facts.releases.at(-1)?.version;
        pinned.set(image, { pin, isNewest: isNewest || pinned.get(image)?.isNewest === true });
      }
  return pinned;
}
