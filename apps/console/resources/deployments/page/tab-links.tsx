import { useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { useText } from '../../../texts/console-i18n';
import { type DeploymentTab, pageOf } from '../tabs';
import './tab-links.css';

/**
 * Links to the tabs of a deployment's page. On phones they scroll sideways, with the current one in view. Without tabs,
 * an empty bar of the same height.
 */
export function TabLinks({
  id,
  tabs,
  current,
}: {
  id: number;
  tabs: readonly DeploymentTab[];
  current: DeploymentTab;
}) {
  const t = useText();
  const shown = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    // Returns a promise in some browsers, which React would take for a clean-up.
    shown.current?.scrollIntoView?.({ block: 'nearest', inline: 'center' });
  }, [current, tabs]);
  if (tabs.length === 0)
    return (
      <div className="tabs" aria-hidden="true">
        <span>&nbsp;</span>
      </div>
    );
  return (
    <nav className="tabs" aria-label={t('deployments.page.tabs')}>
      {tabs.map((tab) => (
        <Link
          key={tab.path}
          to={pageOf(id, tab.path)}
          ref={tab === current ? shown : undefined}
          aria-current={tab === current ? 'page' : undefined}
        >
          {t(tab.label)}
        </Link>
      ))}
    </nav>
  );
}
