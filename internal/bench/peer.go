package bench

import (
	"bufio"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

//go:embed peer.py
var script string

// peersOf lists the peers that can do the work of a case.
func peersOf(c Case) []string {
	hidden, _, _ := strings.Cut(c.Hidden, ":")
	visible, _, _ := strings.Cut(c.Visible, ":")
	switch {
	case c.Kind == latentMoves || c.Kind == draws:
		return nil // no other library has them
	case c.Kind == scaling || c.Kind == keep || c.Kind == keepHidden:
		return nil // bernoulli-784-500 has peers for the same work
	case c.Kind == gemm:
		return []string{"torch-gemm", "numpy-gemm"}
	case c.Kind == pcd:
		return []string{"torch-natural"}
	case hidden == "drelu":
		return nil // no peer draws dReLU units
	case visible == "bernoulli" && hidden == "bernoulli":
		return []string{"torch-natural", "torch-best", "numpy", "scikit-learn"}
	}
	return []string{"torch-natural", "torch-best"}
}

// devicePeersOf lists the peers on a GPU: PyTorch as it is written, with its kernels recorded, and in TF32.
func devicePeersOf(c Case) []string {
	return []string{"torch-cuda", "torch-cuda-graph", "torch-cuda-tf32"}
}

// peer is a Python process that does the work of a case on demand.
type peer struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Scanner
	errors  *strings.Builder
}

// startPeer finds a Python that has what the peer needs and starts it.
func startPeer(ctx context.Context, name string, c Case, threads int) (*peer, error) {
	var why error
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		p, err := startPeerWith(ctx, python, name, c, threads)
		if err == nil {
			return p, nil
		}
		why = err
	}
	return nil, why
}

func startPeerWith(ctx context.Context, python, name string, c Case, threads int) (*peer, error) {
	p := &peer{errors: &strings.Builder{}}
	p.command = exec.CommandContext(ctx, python, "-I", "-c", script, name, c.Visible, c.Hidden,
		strconv.Itoa(c.Chains), strconv.Itoa(threads), strconv.Itoa(c.K))
	p.command.Dir = os.TempDir() // with -I, no module of the current folder or of the user's settings is imported
	n := strconv.Itoa(threads)
	p.command.Env = append(os.Environ(), "OMP_NUM_THREADS="+n, "OPENBLAS_NUM_THREADS="+n, "MKL_NUM_THREADS="+n)
	p.command.Stderr = p.errors
	var err error
	if p.in, err = p.command.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewScanner(out)
	if err := p.command.Start(); err != nil {
		return nil, err
	}
	if !p.out.Scan() || p.out.Text() != "ready" {
		p.stop()
		lines := strings.Split(strings.TrimSpace(p.errors.String()), "\n")
		return nil, errors.New(lines[len(lines)-1])
	}
	return p, nil
}

// work does the work n times and returns the seconds they took by the peer's own clock.
func (p *peer) work(n int) (float64, error) {
	if _, err := fmt.Fprintln(p.in, n); err != nil {
		return 0, err
	}
	if !p.out.Scan() {
		return 0, fmt.Errorf("the process ended: %s", p.errors)
	}
	return strconv.ParseFloat(p.out.Text(), 64)
}

func (p *peer) stop() {
	p.in.Close()
	_ = p.command.Wait() // all its answers have been read
}
