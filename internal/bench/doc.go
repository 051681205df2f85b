// Package bench measures how fast this machine samples and trains, and compares that with Python libraries.
//
// [Cases] are standard pieces of work, one line each: Gibbs sweeps of models of digits and of sequences, latent moves,
// updates of PCD, one matrix product. [Run] measures those that [Options] select and returns a [Row] for each:
//
//	o := bench.Options{Cases: []string{"bernoulli-784-500", "pcd"}, Threads: 1, Peers: true}
//	err := bench.Run(ctx, o, func(r bench.Row) { fmt.Println(r.Case, r.Peer, r.PerSecond(), r.Ratio) })
//
// A rate is the median of five measurements. Two things that are compared are measured in turns, and their ratio is the
// median of the ratios of neighbouring measurements, so that a noisy machine disturbs both alike. There are three such
// comparisons: with a peer (PyTorch, numpy, scikit-learn) that does the same work in its own process; of all threads
// with one; and of a run that keeps every draw with its energy, or with its hidden units, with one that keeps the last
// draw only. The last comparison uses a single thread, so that time is CPU time; no files are written.
//
// To add a case, add it to Cases; a new kind of work also needs a branch in prepare, and in peersOf and peer.py if
// Python libraries can do it.
package bench
