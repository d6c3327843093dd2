import { ChevronDown, ChevronUp, type LucideIcon, X } from 'lucide-react';
import { type RefObject } from 'react';
import type { CatalogueNames } from '../../../data/catalogue';
import type { Deployment } from '../../../data/deployments';
import { useText } from '../../../texts/console-i18n';
import { PackageMark } from '../../../parts/package-mark';
import { HeaderState } from '../header-state';
import { addressOf, isOwn } from '../../../parts/deployment/deployment-messages';
import { EditableName } from '../settings/editable-name';
import { IconButton } from '../../../ui/button';

export interface Walk {
  /** Undefined if there is none. */
  readonly previous: (() => void) | undefined;
  readonly next: (() => void) | undefined;
  readonly close: () => void;
}

export function DrawerHeader({
  id,
  deployment,
  names,
  walk,
  heading,
  headingId,
  missing,
}: {
  id: number;
  /** Undefined while loading. */
  deployment: Deployment | undefined;
  names: CatalogueNames;
  walk: Walk;
  heading: RefObject<HTMLHeadingElement | null>;
  headingId: string;
  /** It could not be loaded. */
  missing: boolean;
}) {
  const t = useText();
  return (
    <header>
      <div className="row who">
        {deployment === undefined ? null : (
          <>
            <PackageMark mark={names.packageMark(deployment.package)} size="s" />
            <span className="small soft">{names.packageName(deployment.package)}</span>
          </>
        )}
        <span className="muted small">#{id}</span>
        <span className="grow" />
        <HeaderButton name="previous" icon={ChevronUp} onClick={walk.previous} />
        <HeaderButton name="next" icon={ChevronDown} onClick={walk.next} />
        <HeaderButton name="close" icon={X} onClick={walk.close} />
      </div>
      {deployment !== undefined ? (
        <EditableName deployment={deployment} heading={heading} headingId={headingId} level={2} />
      ) : (
        <h2 id={headingId} ref={heading} tabIndex={-1}>
          {missing ? (
            t('layout.details')
          ) : (
            <>
              <span className="vh">{t('layout.details')}</span>
              <span className="skel" style={{ width: 240 }} aria-hidden="true" />
            </>
          )}
        </h2>
      )}
      {deployment === undefined ? null : (
        <div className="row wrap state">
          <HeaderState deployment={deployment} />
          <Place deployment={deployment} names={names} />
        </div>
      )}
    </header>
  );
}

/** Button that is disabled without a target. Its title includes the keyboard shortcut. */
function HeaderButton({
  name,
  icon: Icon,
  onClick,
}: {
  name: keyof Walk;
  icon: LucideIcon;
  onClick: Walk[keyof Walk];
}) {
  const t = useText();
  return (
    <IconButton
      size="small"
      icon={Icon}
      label={t(`deployments.drawer.${name}`)}
      title={t(`deployments.drawer.${name}_key`)}
      disabled={onClick === undefined}
      onClick={onClick}
    />
  );
}

function Place({ deployment, names }: { deployment: Deployment; names: CatalogueNames }) {
  const t = useText();
  const { cloud_provider: cloud, region } = deployment;
  if (isOwn(deployment) || cloud === null) {
    return (
      <span className="place small muted">
        {t('deployments.byovps')}, <span className="mono">{addressOf(deployment)}</span>
      </span>
    );
  }
  const provider = names.providerName(cloud);
  return (
    <span className="place small muted">
      {region === null ? provider : `${provider}, ${names.regionName(cloud, region)}`}
    </span>
  );
}
