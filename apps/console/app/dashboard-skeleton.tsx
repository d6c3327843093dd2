import { Wordmark } from '../parts/wordmark';
import { RunwaySkeleton } from '../resources/deployments/runway-skeleton';
import '../parts/bar.css';
import '../ui/page.css';

/** The dashboard in its final shape without data, for the HTML of its address. `first-look.ts` adds the end date. */
export function DashboardSkeleton({ title }: { title: string }) {
  return (
    <>
      <div className="bar">
        <Wordmark />
      </div>
      <main className="main" aria-busy="true">
        <div className="title">
          <h1 className="grow">{title}</h1>
        </div>
        <section className="card runbox">
          <RunwaySkeleton />
        </section>
      </main>
    </>
  );
}
