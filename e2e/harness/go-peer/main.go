// A worker as a Go service has it: clientv3/concurrency, a session, an election. It tells the same lines as
// e2e/harness/elected-worker-program.ts, so that both are measured alike.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"
	"go.uber.org/zap"
	"golang.org/x/sys/unix"
)

type plan struct {
	Endpoints    []string `json:"endpoints"`
	Election     string   `json:"election"`
	Name         string   `json:"name"`
	TTLSeconds   int      `json:"ttlSeconds"`
	Socket       string   `json:"socket"`
	WriteEveryMs int      `json:"writeEveryMs"`
	// ResignsOnLoss deletes its key by its create revision when its session has ended, as some services do.
	ResignsOnLoss bool `json:"resignsOnLoss"`
}

type token struct {
	Epoch    int    `json:"epoch"`
	Revision string `json:"revision"`
}

// machineMs reads the clock that all processes of the machine share, as Node's process.hrtime does.
func machineMs() float64 {
	var ts unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts)
	return float64(ts.Nano()) / 1e6
}

var output sync.Mutex

func tell(line map[string]any) {
	text, _ := json.Marshal(line)
	output.Lock()
	defer output.Unlock()
	fmt.Println(string(text))
}

type worker struct {
	plan   plan
	client *clientv3.Client
	resign chan struct{}
	wire   net.Conn
	nextID int
}

// write sends one attempt and waits for the verdict, as a caller of a database does.
func (w *worker) write(t token, answers *bufio.Reader) {
	w.nextID++
	now := machineMs()
	question := map[string]any{"id": w.nextID, "ask": "write", "resource": w.plan.Election, "worker": w.plan.Name,
		"token": t, "provedMs": now, "sentMs": now}
	text, _ := json.Marshal(question)
	if _, err := w.wire.Write(append(text, '\n')); err == nil {
		_, _ = answers.ReadString('\n')
	}
}

func (w *worker) lead(session *concurrency.Session, election *concurrency.Election, answers *bufio.Reader) {
	t := token{Revision: strconv.FormatInt(election.Rev(), 10)}
	fromMs := machineMs()
	provenMs := fromMs
	tell(map[string]any{"type": "leading", "token": t, "fromMs": fromMs})
	why := "lease gone"
	every := time.Duration(w.plan.WriteEveryMs) * time.Millisecond
work:
	for {
		if w.wire != nil {
			provenMs = machineMs()
			w.write(t, answers)
		}
		select {
		case <-session.Done():
			if w.plan.ResignsOnLoss {
				tell(map[string]any{"type": "resigning", "atMs": machineMs()})
				_ = election.Resign(context.Background())
			}
			break work
		case <-w.resign:
			why = "resigned"
			tell(map[string]any{"type": "resigning", "atMs": machineMs()})
			_ = election.Resign(context.Background())
			break work
		case <-time.After(every):
		}
	}
	learnedMs := machineMs()
	tell(map[string]any{"type": "ended", "token": t, "fromMs": fromMs, "learnedMs": learnedMs, "provenMs": provenMs,
		"ended": 1, "why": why, "rejected": 0})
}

func (w *worker) serve(answers *bufio.Reader) error {
	session, err := concurrency.NewSession(w.client, concurrency.WithTTL(w.plan.TTLSeconds))
	if err != nil {
		return err
	}
	defer session.Close()
	renewals, err := w.client.KeepAlive(context.Background(), session.Lease())
	if err == nil {
		go func() {
			for range renewals {
				tell(map[string]any{"type": "renewed", "atMs": machineMs()})
			}
		}()
	}
	election := concurrency.NewElection(session, w.plan.Election)
	for {
		tell(map[string]any{"type": "state", "state": "waiting", "atMs": machineMs()})
		if err := election.Campaign(context.Background(), w.plan.Name); err != nil {
			return err
		}
		w.lead(session, election, answers)
		select {
		case <-session.Done():
			return nil
		default:
		}
	}
}

func main() {
	w := &worker{resign: make(chan struct{})}
	if err := json.Unmarshal([]byte(os.Args[1]), &w.plan); err != nil {
		panic(err)
	}
	if w.plan.WriteEveryMs == 0 {
		w.plan.WriteEveryMs = 20
	}
	client, err := clientv3.New(clientv3.Config{Endpoints: w.plan.Endpoints, Logger: zap.NewNop(),
		DialKeepAliveTime: 10 * time.Second, DialKeepAliveTimeout: 5 * time.Second})
	if err != nil {
		panic(err)
	}
	w.client = client
	var answers *bufio.Reader
	if w.plan.Socket != "" {
		if w.wire, err = net.Dial("unix", w.plan.Socket); err != nil {
			panic(err)
		}
		answers = bufio.NewReader(w.wire)
	}
	campaign := func() {
		for {
			if err := w.serve(answers); err != nil {
				tell(map[string]any{"type": "trouble", "message": err.Error(), "atMs": machineMs()})
				time.Sleep(200 * time.Millisecond)
			}
		}
	}
	tell(map[string]any{"type": "ready", "atMs": machineMs()})
	orders := bufio.NewScanner(os.Stdin)
	for orders.Scan() {
		if strings.Contains(orders.Text(), `"enter"`) {
			go campaign()
		}
		if strings.Contains(orders.Text(), `"resign"`) {
			w.resign <- struct{}{}
		}
	}
}
