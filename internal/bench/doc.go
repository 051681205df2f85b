// Package bench measures how fast this machine samples and trains, and beside it what Python finds on it.
//
// [Cases] are standard pieces of work, one line each: Gibbs sweeps of models of digits and of sequences, latent moves,
// updates of PCD, one matrix product. [Run] measures those that [Options] pick and hands out a [Row] for each:
//
//	o := bench.Options{Cases: []string{"bernoulli-784-500", "pcd"}, Threads: 1, Peers: true}
//	err := bench.Run(ctx, o, func(r bench.Row) { fmt.Println(r.Case, r.Peer, r.PerSecond(), r.Ratio) })
//
// A rate is the median of five measurements. Where two things are compared, they are measured in turns and the ratio is
// the median of those of neighbours, so that a noisy machine disturbs both alike. There are three such comparisons: a
// peer (PyTorch, numpy, scikit-learn) in a process of its own that does the same work, all threads against one, and
// a run that keeps every draw with its energy, or with its hidden units, against one that keeps the last draw. The last
// are done on a single thread, where time is CPU time; files are not written.
//
// To add a case, add it to Cases; a new kind of work also needs a branch in prepare, and in peersOf and peer.py if
// Python has it, too.
package bench
