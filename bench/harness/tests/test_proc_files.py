"""What is read from /proc."""

import os
import unittest
from pathlib import Path

from harness import proc_files
from harness.process_tree import ProcessTree

#       pid  command         state ppid …                                  utime stime cutime cstime
STAT = "41 (a ) 7 (odd one) S 7 41 41 0 -1 4194560 900 0 3 0 " + "11 22 3 4" + " 20 0 1 0 100 1000 200 18446744073709551615"


class ProcFilesTests(unittest.TestCase):
    def test_processor_time_is_the_sum_of_four_fields_whatever_the_command_is_called(self) -> None:
        self.assertEqual(proc_files.cpu_ticks(STAT), 11 + 22 + 3 + 4)

    def test_a_core_is_busy_while_it_neither_idles_nor_waits_for_a_disk(self) -> None:
        #           user nice system idle iowait irq softirq steal guest guest_nice
        stat = "cpu  9 9 9 9 9 9 9 9 9 9\ncpu0 1 2 3 1000 500 4 5 6 1 0\ncpu1 7 0 0 1000 500 0 0 1 0 0\nintr 1 2 3\n"
        self.assertEqual([proc_files.busy_ticks(stat, core) for core in (0, 1)], [21, 8])

    def test_the_parent_is_found_behind_an_odd_command(self) -> None:
        self.assertEqual(proc_files.parent(STAT), 7)

    def test_kibibytes_are_found_by_their_name(self) -> None:
        status = "Name:\tnginx\nVmHWM:\t    5120 kB\nVmRSS:\t    4096 kB\n"
        for name, expected in [("VmHWM", 5120), ("VmRSS", 4096), ("VmSwap", 0)]:
            with self.subTest(name=name):
                self.assertEqual(proc_files.kibibytes(status, name), expected)

    def test_bytes_read_from_disks_are_found_by_their_name(self) -> None:
        io = "rchar: 77\nread_bytes: 8192\nwrite_bytes: 4\ncancelled_write_bytes: 0\n"
        self.assertEqual([proc_files.number(io, name) for name in ("read_bytes", "absent")], [8192, 0])

    def test_pss_is_not_taken_from_its_parts(self) -> None:
        rollup = "5590-7ffc ---p 00000000 00:00 0 [rollup]\nRss: 900 kB\nPss: 450 kB\nPss_Dirty: 50 kB\nPss_Anon: 40 kB\n"
        self.assertEqual(proc_files.kibibytes(rollup, "Pss"), 450)

    def test_descendants_are_all_below_and_no_others(self) -> None:
        parents = {10: 1, 11: 10, 12: 10, 13: 11, 20: 1, 21: 20}
        self.assertEqual(sorted(proc_files.descendants(10, parents)), [10, 11, 12, 13])

    def test_of_this_process_something_is_known(self) -> None:
        tree = ProcessTree(os.getpid())
        self.assertGreater(tree.cpu_seconds(), 0)
        self.assertGreaterEqual(tree.peak_kib(), tree.resident_kib())
        self.assertEqual(proc_files.parent(Path("/proc/self/stat").read_text()), os.getppid())

    def test_of_a_process_that_has_ended_nothing_is_known(self) -> None:
        child = os.fork()
        if child == 0:
            os._exit(0)
        os.waitpid(child, 0)
        self.assertEqual(ProcessTree(child).cpu_seconds(), 0)


if __name__ == "__main__":
    unittest.main()
