import { Component, type ReactNode, useEffect } from 'react';
import { pages } from '../data/navigation';
import { usePublicText } from '../texts/locale';
import { Button } from './button';

/**
 * Error boundary for pages whose files failed to load, because of the network or a newer release, or that crashed while
 * rendering. Offers a page reload, which fetches the current files. `at` is the page's address, and a new one resets
 * it.
 */
export class PageGuard extends Component<{ at?: string; children: ReactNode }, { failed: boolean; offline: boolean }> {
  override state = { failed: false, offline: false };

  static getDerivedStateFromError(): { failed: boolean; offline: boolean } {
    return { failed: true, offline: !navigator.onLine };
  }

  override componentDidUpdate({ at }: { at?: string }): void {
    if (this.state.failed && at !== this.props.at) this.setState({ failed: false, offline: false });
  }

  override render(): ReactNode {
    return this.state.failed ? <Failed isOffline={this.state.offline} /> : this.props.children;
  }
}

/** Reloads the page as soon as the connection returns, if it failed without one. */
function Failed({ isOffline }: { isOffline: boolean }) {
  const t = usePublicText();
  useEffect(() => {
    if (!isOffline) return;
    const reload = (): void => pages.load(location.href);
    window.addEventListener('online', reload);
    return () => window.removeEventListener('online', reload);
  }, [isOffline]);
  return (
    <main className="empty" id="content" tabIndex={-1}>
      <div role="alert">
        <h1>{t('broken.title')}</h1>
        <p className="soft">{t('broken.text')}</p>
      </div>
      <Button kind="primary" onClick={() => location.reload()}>
        {t('retry')}
      </Button>
    </main>
  );
}
