import { Component, type ReactNode } from 'react';
import { usePublicText } from '../texts/locale';
import { Button } from './button';

/**
 * Error boundary for pages whose files failed to load, because of the network or a newer release, or that crashed while
 * rendering. Offers a page reload, which fetches the current files. `at` is the page's address, and a new one resets
 * it.
 */
export class PageGuard extends Component<{ at?: string; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidUpdate({ at }: { at?: string }): void {
    if (this.state.failed && at !== this.props.at) this.setState({ failed: false });
  }

  override render(): ReactNode {
    return this.state.failed ? <Failed /> : this.props.children;
  }
}

function Failed() {
  const t = usePublicText();
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
